type Look = [ground: string, other?: string, marks?: 'half' | 'dots' | 'patches']

const [white, black, brown, red, tan] = ['#ffffff', '#26221f', '#7a4a25', '#a8402a', '#b98148']

/** The coat of each colour, by the ids of the reference data. */
const looks: Record<number, Look> = {
  1: [white],
  2: [black],
  3: [brown],
  4: [red],
  5: ['#8f3f22'],
  6: ['#a9a9a6'],
  7: ['#5b5c5e'],
  8: ['#cfa876'],
  9: ['#f0dfb8'],
  10: [white, black, 'half'],
  11: [white, brown, 'half'],
  12: [white, red, 'half'],
  13: [black, tan, 'half'],
  14: [white, brown, 'dots'],
  15: [white, black, 'patches'],
  16: ['#dba63a'],
  17: ['#4a2a1a'],
  18: [tan, black, 'patches'],
}

/** A round sample of a colour. */
export function ColorSwatch({ id }: { id: number }) {
  const [ground, other, marks] = looks[id] ?? [white]
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className="size-10 shrink-0">
      <circle cx="20" cy="20" r="18" fill={ground} stroke="#5f584e" strokeWidth="1.5" />
      {marks === 'half' && <path d="M7.3 32.7A18 18 0 0 0 32.7 7.3Z" fill={other} />}
      {marks === 'dots' &&
        [
          [13, 12],
          [26, 10],
          [20, 20],
          [10, 24],
          [31, 21],
          [24, 30],
          [15, 32],
        ].map(([x, y]) => <circle key={`${x}-${y}`} cx={x} cy={y} r="2.6" fill={other} />)}
      {marks === 'patches' && <path d="M8 9c5-6 12-5 12 1s-4 9-10 8-6-4-2-9zM25 21c6-3 11 0 10 6s-8 9-12 6-4-9 2-12z" fill={other} />}
    </svg>
  )
}
