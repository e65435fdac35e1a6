// Every run draws the same examples, so that a red run can be run again; FC_SEED=N draws others, as a search for bugs should.
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['FC_SEED'] ?? 20_261_121) })
