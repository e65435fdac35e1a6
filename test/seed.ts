// Every run uses the same examples, so that a failure can be reproduced. FC_SEED=N uses others, to search for bugs.
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['FC_SEED'] ?? 20_261_121) })
