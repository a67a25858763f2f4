import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { paraglide } from './scripts/paraglide-options.ts'

export default defineConfig({
  plugins: [paraglideVitePlugin(paraglide), tailwindcss(), reactRouter()],
  build: { target: 'es2020', assetsInlineLimit: 0 },
  environments: {
    // The site's entry, not React Router's own: pages, API and database live in one module graph (decision 0002).
    ssr: { build: { target: 'node24', rolldownOptions: { input: './src/main.server.ts' } } },
  },
})
