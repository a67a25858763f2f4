/** How often a test tries: few times in everyday runs, many times in `npm run test:deep`. */
export const often = <T = number>(everyday: T, deep: T): T => (process.env.DEEP === '1' ? deep : everyday)

/**
 * For tests with tens of thousands of statements, which take three times as long on the embedded database. PostgreSQL always runs `onPostgres`; the
 * embedded one runs fewer, but enough for the test to fail, and all of them in `npm run test:deep`.
 */
export const oftenOn = <T = number>(onEmbedded: T, onPostgres: T): T =>
  process.env.TEST_DATABASE === 'embedded' ? often(onEmbedded, onPostgres) : onPostgres
