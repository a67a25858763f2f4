// What a listing's pictures show. The three recipe files beside this one have one entry per listing key.

import type { Animal } from './animals.ts'
import { animalPicture, closeUp, flock, pair, whole, withYoung } from './compose.ts'
import type { SceneName } from './scenes.ts'

export type View =
  | { readonly shows: 'whole' | 'close'; readonly animal: Animal }
  | { readonly shows: 'young'; readonly animal: Animal; readonly young: Animal; readonly size: number }
  | { readonly shows: 'pair'; readonly near: Animal; readonly far: Animal }
  | { readonly shows: 'flock'; readonly animals: readonly Animal[]; readonly share?: number }

export interface Recipe {
  readonly scene: SceneName
  readonly facesRight?: boolean
  readonly views: readonly View[]
}

export const full = (animal: Animal): View => ({ shows: 'whole', animal })
export const close = (animal: Animal): View => ({ shows: 'close', animal })
export const mother = (animal: Animal, young: Animal, size = 0.52): View => ({ shows: 'young', animal, young, size })
export const two = (near: Animal, far: Animal): View => ({ shows: 'pair', near, far })
export const many = (...animals: Animal[]): View => ({ shows: 'flock', animals })

/** Young or small animals: each takes a smaller share of the picture's width. */
export const brood = (...animals: Animal[]): View => ({ shows: 'flock', animals, share: 0.27 })

export function drawView(key: string, recipe: Recipe, index: number): string {
  const view = recipe.views[index]
  if (!view) throw new Error(`No recipe for picture ${index + 1} of ${key}`)
  const seed = `${key} ${index}`
  // The second picture shows the other side.
  const right = (recipe.facesRight ?? false) !== (index === 1)
  switch (view.shows) {
    case 'whole':
      return animalPicture(recipe.scene, seed, whole(view.animal, right))
    case 'close':
      return animalPicture(recipe.scene, seed, closeUp(view.animal, right), true)
    case 'young':
      return animalPicture(recipe.scene, seed, withYoung(view.animal, view.young, right, !right, view.size))
    case 'pair':
      return animalPicture(recipe.scene, seed, pair(view.near, view.far, right))
    case 'flock':
      return animalPicture(recipe.scene, seed, flock(view.animals, right, seed, view.share))
  }
}
