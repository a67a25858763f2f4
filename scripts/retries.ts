/**
 * How often a failed test with a database, processes or a browser is tried again (decision 0111): twice in CI, where one slow moment among
 * thousands of tests must not refuse a day's work; never at a developer's, who should see each failure. Pure rules are never tried again.
 */
export const retriesInCi = process.env.CI === 'true' ? 2 : 0
