/** The eight front teeth of the lower jaw, milk teeth small, adult ones large: pairs change from the middle outwards. */
export function TeethPicture({ pairs }: { pairs: number }) {
  const side = [0, 1, 2, 3].map((place) => ({ place, isAdult: place < pairs }))
  return (
    <svg viewBox="0 0 96 40" aria-hidden="true" className="h-9 w-20">
      <path d="M2 40 Q48 24 94 40 Z" fill="#e59a8c" />
      {side.flatMap(({ place, isAdult }) =>
        [1, -1].map((way) => {
          const width = isAdult ? 11 : 7
          const height = isAdult ? 22 : 12
          const x = 48 + way * (place * 11.5 + 5.8) - width / 2
          const foot = 33 + place * 1.4
          return (
            <rect
              key={`${place}${way}`}
              x={x}
              y={foot - height}
              width={width}
              height={height}
              rx={isAdult ? 3.5 : 2.5}
              fill={isAdult ? '#fffdf8' : '#f3ead6'}
              stroke="#5f584e"
              strokeWidth="1.2"
            />
          )
        }),
      )}
    </svg>
  )
}
