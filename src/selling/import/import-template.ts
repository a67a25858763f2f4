import { download } from '#src/kit/http/download.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { importTemplate } from './read-import.server.ts'

/** The template for farms, in the viewer's language. */
export const loader = pageLoader(async (ctx) => download('animals.csv', importTemplate(ctx)))
