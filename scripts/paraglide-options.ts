/** One place for the message compiler's options: the build, the tests and `npm run check` all use these. */
export const paraglide = {
  project: './project.inlang',
  outdir: './src/paraglide',
  // We say which language it is ourselves (entry.client.tsx, kit/http/page-locale.server.ts): the URL alone decides, and the
  // compiler's own URL strategy would send a URLPattern polyfill to every phone.
  strategy: ['globalVariable', 'baseLocale'] as ('globalVariable' | 'baseLocale')[],
  emitGitIgnore: false,
  emitReadme: false,
  emitPrettierIgnore: false,
}
