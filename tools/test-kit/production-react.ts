/**
 * Tests on PostgreSQL render pages with React's production build, as a live site does. Those on the embedded database keep the development
 * build and its warnings (strict-console.ts).
 */
const environment = process.env.NODE_ENV
process.env.NODE_ENV = 'production'
await Promise.all([import('react'), import('react/jsx-runtime'), import('react-dom'), import('react-dom/server')])
process.env.NODE_ENV = environment

export {}
