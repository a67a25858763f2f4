// Draws the sample market's pictures: node scripts/draw-pictures/main.ts [listing key ...]. Without keys it draws all. The JPEGs are committed, so
// run this only when a drawing changes.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sampleListings } from '../../src/demo/sample-listings.ts'
import { jpeg, stillLife } from './compose.ts'
import { drawGoods, goodsViews, isGoods } from './goods.ts'
import { drawView } from './recipes.ts'
import { cattleRecipes } from './recipes-cattle.ts'
import { flockRecipes } from './recipes-flocks.ts'
import { yardRecipes } from './recipes-yard.ts'

const folder = fileURLToPath(new URL('../../demo/pictures/', import.meta.url))
const recipes = { ...cattleRecipes, ...flockRecipes, ...yardRecipes }

function drawingOf(key: string, index: number): string {
  if (isGoods(key)) {
    const { drawing, light } = drawGoods(key, index)
    return stillLife(drawing, light)
  }
  const recipe = recipes[key]
  if (!recipe) throw new Error(`${key} is in src/demo/sample-listings.ts but has no recipe here`)
  return drawView(key, recipe, index)
}

const wanted = process.argv.slice(2)
const listings = sampleListings.filter(({ key, picturesOf }) => !picturesOf && (wanted.length === 0 || wanted.includes(key)))
await mkdir(folder, { recursive: true })
let pictures = 0
let bytes = 0
for (const { key, pictures: count } of listings) {
  const drawn = isGoods(key) ? goodsViews(key) : recipes[key]?.views.length
  if (drawn !== count) throw new Error(`${key}: the listing has ${count} pictures, the recipe ${drawn ?? 0}`)
  for (let index = 0; index < count; index++) {
    const picture = await jpeg(drawingOf(key, index))
    await writeFile(`${folder}${key}-${index + 1}.jpg`, picture)
    pictures++
    bytes += picture.length
  }
}
if (wanted.length === 0) {
  const names = new Set(listings.flatMap(({ key, pictures: count }) => Array.from({ length: count }, (_, i) => `${key}-${i + 1}.jpg`)))
  for (const name of await readdir(folder)) if (!names.has(name)) await rm(`${folder}${name}`)
}
console.log(`${pictures} pictures of ${listings.length} listings, ${(bytes / 1e6).toFixed(1)} MB`)
