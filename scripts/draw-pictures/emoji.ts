// Takes Fluent Emoji (Microsoft, MIT) apart: every shape of a drawing gets a role (coat, horn, eye ...), and each role is coloured from a ramp, kept,
// or removed.

import { createRequire } from 'node:module'
import { fromRamp, lightness, type Ramp } from './coats.ts'

export type Paint = Ramp | 'keep' | 'drop'
/** Role -> its shapes: the first characters of a path, a gradient's id, or the x / cx of a box or circle. */
export type Roles = Readonly<Record<string, readonly string[]>>

const source = createRequire(new URL('../source-data/package.json', import.meta.url))

function load<T>(name: string): T {
  try {
    return source(name) as T
  } catch {
    console.error('The pictures need their own packages first: npm ci --prefix scripts/source-data')
    process.exit(1)
  }
}

export const sharp = load<(typeof import('sharp'))['default']>('sharp')
const icons = load<{ icons: Record<string, { body: string }> }>('@iconify-json/fluent-emoji/icons.json').icons

const SHAPE = /<(path|rect|ellipse|circle)\b[^>]*?\/>/g
const GRADIENT = /<(linear|radial)Gradient\b[^>]*?(?:\/>|>[\s\S]*?<\/\1Gradient>)/g
const COLOUR = /#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b/g

let drawn = 0
/** Ids must be unique within a picture. They restart for each picture, so that the output is reproducible. */
export const newId = (): string => `a${(drawn++).toString(36)}`
export const restartIds = (): void => {
  drawn = 0
}

function roleOf(shape: string, roles: Roles): string {
  const path = / d="([^"]*)"/.exec(shape)?.[1] ?? ''
  const place = / c?x="([^"]*)"/.exec(shape)?.[1] ?? ''
  const paint = /url\(#([^)]+)\)/.exec(shape)?.[1] ?? ''
  for (const [role, marks] of Object.entries(roles)) {
    if (marks.some((mark) => path.startsWith(mark) || place === mark || paint === mark)) return role
  }
  return 'coat'
}

/** The outline of the first shape whose path begins with `start`; `nth` selects among different outlines with the same beginning. */
export function outlineOf(name: string, start: string, nth = 0): string {
  const outlines = [...(icons[name]?.body ?? '').matchAll(/ d="([^"]*)"/g)].map(([, outline]) => outline!)
  const found = [...new Set(outlines)].filter((outline) => outline.startsWith(start))[nth]
  if (found === undefined) throw new Error(`${name} has no shape ${nth} that begins with ${start}`)
  return found
}

export interface EmojiDrawing {
  readonly name: string
  readonly roles: Roles
  /** The darkest and the lightest lightness of each role in the original. */
  readonly range: Readonly<Record<string, readonly [number, number]>>
}

export function drawEmoji(drawing: EmojiDrawing, paints: Readonly<Record<string, Paint>>): string {
  const body = icons[drawing.name]?.body
  if (body === undefined) throw new Error(`Fluent Emoji has no drawing named ${drawing.name}`)
  const prefix = newId()
  const used = new Set<string>()

  const recolour = (text: string, role: string): string => {
    const paint = paints[role] ?? 'keep'
    if (typeof paint === 'string') return text
    const [low, high] = drawing.range[role] ?? [0.2, 0.8]
    return text.replace(COLOUR, (colour) => fromRamp(paint, (lightness(colour) - low) / (high - low)))
  }

  const definitions = (/<defs>([\s\S]*?)<\/defs>/.exec(body)?.[1] ?? '').trim()
  const shapes = body.replace(/<defs>[\s\S]*?<\/defs>/g, '').replace(SHAPE, (shape) => {
    const role = roleOf(shape, drawing.roles)
    if (paints[role] === 'drop') return ''
    used.add(role)
    return recolour(shape, role).replace(/url\(#([^)]+)\)/g, `url(#${prefix}-${role}-$1)`)
  })
  const gradients = definitions.match(GRADIENT) ?? []
  const painted = [...used].flatMap((role) =>
    gradients.map((gradient) =>
      recolour(gradient.replace(/id="([^"]+)"/, 'id="§$1"').replace(/href="#([^"]+)"/, 'href="§$1"'), role)
        .replace('id="§', `id="${prefix}-${role}-`)
        .replace('href="§', `href="#${prefix}-${role}-`),
    ),
  )
  // Filters and clips have no colour: one copy, named after the group that uses it.
  const others = definitions.replace(GRADIENT, '').replace(/id="([^"]+)"/g, `id="${prefix}-$1"`)
  const groups = shapes.replace(/<g ([^>]*)url\(#([^)]+)\)/g, `<g $1url(#${prefix}-$2)`)
  return `<defs>${painted.join('')}${others}</defs>${groups}`
}
