import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/*/tables.ts', './src/kit/db/tables.ts'],
  out: './migrations',
})
