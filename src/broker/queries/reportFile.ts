// The file of `memctl report` in a store: beside the log, with its access rights, so that it is not committed by
// accident, and so that `memctl forget` can remove it.
import type { Store } from '../open/openStore.ts'

export const REPORT_FILE = 'report.html'

/** The path of the report if the person names none. */
export const defaultReportFile = ({ layout }: Store): string => `${layout.folder}/${REPORT_FILE}`
