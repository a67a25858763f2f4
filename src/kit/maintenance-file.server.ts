import { join } from 'node:path'

/** The maintenance switch is this file in DATA_DIR: it works without a database, and every process that shares the folder sees it. */
export const maintenanceFile = (dataDir: string) => join(dataDir, 'maintenance')
