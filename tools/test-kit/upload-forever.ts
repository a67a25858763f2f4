import { openDatabase } from '#src/kit/db/database.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { testCtx } from './test-ctx.ts'
import { addPhotos } from '#src/selling/photos/photos.server.ts'
import { picture } from './test-sale.ts'

// A process that uploads three pictures to one listing after another until it is killed.
const [databaseUrl = '', dir = '', sellerId = '', first = '', last = ''] = process.argv.slice(2)
const database = await openDatabase({ databaseUrl, dataDir: '' })
const media = await openMediaStore(dir)
const viewer = { id: Number(sellerId), name: 'Selvi', typeId: 2, vetApproved: false, superAdmin: false }
const ctx = testCtx(database.db, { viewer })
for (let listing = Number(first); listing <= Number(last); listing++) {
  const files = await Promise.all([1, 2, 3].map((n) => picture(listing * 3 + n)))
  process.stdout.write('next\n')
  await addPhotos(ctx, media, listing, files)
}
