import { m } from '#src/paraglide/messages.js'

const shots = {
  side: {
    name: m.sell_shot_side,
    picture: 'M6 21Q7 17 12 17H30L35 12 42 14 41 20 36 22V38H32V29H16V38H12V28Q7 27 6 21ZM6 21L4 31M35 12L34 8',
  },
  front: {
    name: m.sell_shot_front,
    picture: 'M17 22Q24 18 31 22L29 37Q24 45 19 37ZM17 25L11 27 17 29M31 25L37 27 31 29M18 21Q13 15 15 8M30 21Q35 15 33 8',
  },
  teeth: { name: m.product_teeth, picture: 'M8 18Q24 8 40 18 40 34 24 38 8 34 8 18ZM12 24H36M18 18V30M24 17V31M30 18V30' },
  udder: { name: m.sell_shot_udder, picture: 'M10 12H38V20Q38 31 24 31T10 20ZM16 29V38M24 31V40M32 29V38' },
  testicles: { name: m.sell_shot_testicles, picture: 'M10 10H38M24 10V17M24 17Q14 18 14 28T24 39Q34 38 34 28T24 17M24 20V36' },
  feet: { name: m.sell_shot_feet, picture: 'M18 6V24L11 38H37L30 24V6M24 26V38' },
  tag: { name: m.sell_shot_tag, picture: 'M6 14Q22 4 38 14 34 28 24 28T6 14ZM22 22H34V40H22ZM26 30H30M26 35H30' },
}

const [GOATS, SHEEP, CHICKEN] = [2, 3, 4]
const all = ['side', 'front', 'teeth', 'udder', 'feet', 'tag'] as const

/** What a buyer wants to see of such an animal; before the species is chosen, of a cow. */
function shotsOf(categoryId: number | null, isMale: boolean): (keyof typeof shots)[] {
  if (categoryId === CHICKEN) return ['side', 'front', 'feet']
  const isRuminant = categoryId === null || [1, GOATS, SHEEP].includes(categoryId)
  const wanted = isRuminant ? all : all.filter((shot) => shot !== 'udder' && shot !== 'tag')
  return wanted.map((shot) => (shot === 'udder' && isMale ? 'testicles' : shot))
}

/** The photos that sell, drawn. */
export function ShotList({ categoryId, isMale }: { categoryId: number | null; isMale: boolean }) {
  if (categoryId !== null && categoryId > LAST_ANIMAL) return null
  return (
    // Scrolls by keyboard, too.
    <div role="group" tabIndex={0} aria-label={m.sell_shots()} className="-mx-4 overflow-x-auto px-4">
      <ul className="flex gap-2 sm:flex-wrap">
        {shotsOf(categoryId, isMale).map((shot) => (
          <li
            key={shot}
            className="grid w-26 shrink-0 sm:w-24 justify-items-center gap-1 rounded-control bg-husk-dark p-1.5 text-center text-sm leading-tight break-words hyphens-auto"
          >
            <svg viewBox="0 0 48 48" aria-hidden="true" className="size-10 fill-none stroke-ink stroke-2">
              <path d={shots[shot].picture} />
            </svg>
            {shots[shot].name()}
          </li>
        ))}
      </ul>
    </div>
  )
}
const LAST_ANIMAL = 6
