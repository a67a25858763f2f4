/** How often a test tries: a little in everyday runs, much in `npm run test:deep`. */
export const often = <T = number>(everyday: T, deep: T): T => (process.env.DEEP === '1' ? deep : everyday)

/**
 * The same for tests of tens of thousands of statements, which take the embedded database three times as long as PostgreSQL: that one is
 * asked `onPostgres` in every run, the embedded one so much less that the test can still fail, and all of it in `npm run test:deep`.
 */
export const oftenOn = <T = number>(onEmbedded: T, onPostgres: T): T =>
  process.env.TEST_DATABASE === 'embedded' ? often(onEmbedded, onPostgres) : onPostgres
