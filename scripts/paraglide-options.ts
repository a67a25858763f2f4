/** The message compiler's options for the build, the tests and `npm run check`. */
export const paraglide = {
  project: './project.inlang',
  outdir: './src/paraglide',
  // The URL alone decides the language, and our code sets it (entry.client.tsx, kit/http/page-locale.server.ts). The compiler's own URL strategy
  // would add a URLPattern polyfill to every page.
  strategy: ['globalVariable', 'baseLocale'] as ('globalVariable' | 'baseLocale')[],
  emitGitIgnore: false,
  emitReadme: false,
  emitPrettierIgnore: false,
}
