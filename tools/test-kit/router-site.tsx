import {
  createRequestHandler,
  Link,
  Outlet,
  RouterContextProvider,
  Scripts,
  useLoaderData,
  useLocation,
  type HandleDocumentRequestFunction,
  type ServerBuild,
} from 'react-router'

/**
 * A site of three pages served by the router's own handler, for the contract tests of router-seams/. They test the installed router and not a copy of
 * its output.
 */
export function openRouterSite(
  renderPage: HandleDocumentRequestFunction,
  loader: Loader = loadAnimal,
): (path: string, init?: RequestInit) => Promise<Response> {
  const handle = createRequestHandler(buildOf(renderPage, loader), 'production')
  return (path, init) => handle(new Request(`https://sandhai.test${path}`, init), new RouterContextProvider())
}

function Root() {
  return (
    <html lang="ta">
      <head />
      <body>
        <Outlet />
        <Scripts nonce="N" />
      </body>
    </html>
  )
}

function Animal() {
  const { name } = useLoaderData<{ name: string }>()
  const { pathname } = useLocation()
  return (
    <main>
      <h1>{name}</h1>
      <p>{pathname}</p>
      <Link to="/">Home</Link>
    </main>
  )
}

type Loader = (args: { params: { id?: string } }) => { name: string }
const loadAnimal: Loader = ({ params }) => ({ name: `காளை ${params.id ?? 'home'}` })
const paths = { home: undefined, animal: 'animals/:id', other: 'other' }

function buildOf(renderPage: HandleDocumentRequestFunction, loader: Loader): ServerBuild {
  const asset = (id: string) => ({
    id,
    parentId: id === 'root' ? undefined : 'root',
    path: paths[id as keyof typeof paths],
    index: id === 'home' ? true : undefined,
    module: `/assets/${id}.js`,
    imports: ['/assets/shared.js'],
    css: [],
    hasLoader: id !== 'root',
    hasAction: id === 'animal',
    hasClientLoader: false,
    hasClientAction: false,
    hasClientMiddleware: false,
    hasErrorBoundary: false,
    hasDefaultExport: true,
    clientActionModule: undefined,
    clientLoaderModule: undefined,
    clientMiddlewareModule: undefined,
    hydrateFallbackModule: undefined,
  })
  const page = (id: keyof typeof paths) => ({
    id,
    parentId: 'root',
    ...(id === 'home' ? { index: true as const } : { path: paths[id] }),
    module: { default: Animal, loader, ...(id === 'animal' && { action: () => ({ done: true }) }) },
  })
  const ids = ['root', 'home', 'animal', 'other']
  // Only the properties that the handler reads. A release that reads more fails the contract tests.
  return {
    entry: { module: { default: renderPage, handleError: () => {} } },
    routes: { root: { id: 'root', path: '', module: { default: Root } }, home: page('home'), animal: page('animal'), other: page('other') },
    assets: {
      entry: { module: '/assets/entry.js', imports: ['/assets/frame.js'] },
      routes: Object.fromEntries(ids.map((id) => [id, asset(id)])),
      url: '/assets/manifest.js',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
    allowedActionOrigins: ['**', 'null'],
  } as unknown as ServerBuild
}
