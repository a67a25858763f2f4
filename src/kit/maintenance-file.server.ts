import { join } from 'node:path'

/** This file in DATA_DIR switches maintenance on. It works without a database, and all processes that share the folder see it. */
export const maintenanceFile = (dataDir: string) => join(dataDir, 'maintenance')
