import { asOperator, envOfMarket } from './operator.ts'

// `DATABASE_URL=postgres://… npm run move-to-postgres`: moves the embedded market in DATA_DIR into that empty database. Stop the site first.
await asOperator('Use it as: DATABASE_URL=postgres://user:password@host/name npm run move-to-postgres', async (site) => {
  const { tables, rows } = await site.moveToPostgres(envOfMarket(site))
  console.log(
    `${tables} tables with ${rows} rows are in PostgreSQL and equal the originals. From now on start the site with this DATABASE_URL.`,
  )
})
