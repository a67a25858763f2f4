// Objects in the home page's pictures: a house, a pickup and a phone. (x, y) is the middle of the base.

/** A tiled house with a raised seat in front, red stripes on white walls and a kolam at the door. */
export function house(x: number, y: number): string {
  const stripes = Array.from({ length: 9 }, (_, i) => `<rect x="${-214 + i * 50}" y="-66" width="22" height="40" fill="#b5482a"/>`).join('')
  const tiles = Array.from({ length: 5 }, (_, row) =>
    Array.from(
      { length: 15 },
      (_, i) =>
        `<path d="M${-290 + i * 40 + (row % 2) * 20} ${-250 - row * 26}q20 26 40 0z" fill="${(i + row) % 3 ? '#b5532f' : '#c9683f'}"/>`,
    ).join(''),
  ).join('')
  return (
    `<g transform="translate(${x} ${y})">` +
    `<ellipse cx="0" cy="6" rx="300" ry="20" fill="#3b3a16" opacity=".35"/>` +
    `<rect x="-230" y="-262" width="460" height="262" fill="#fbf3df"/><rect x="-230" y="-262" width="460" height="46" fill="#d9c9a6"/>${stripes}` +
    `<rect x="-250" y="-28" width="500" height="32" rx="4" fill="#a8452a"/><rect x="-250" y="-28" width="500" height="8" rx="4" fill="#c9683f"/>` +
    `<rect x="-52" y="-196" width="104" height="170" rx="3" fill="#6b4022"/><rect x="-44" y="-188" width="42" height="162" fill="#2c6f8f"/><rect x="2" y="-188" width="42" height="162" fill="#34809f"/>` +
    `<path d="M-60 -196H60" stroke="#f2b01e" stroke-width="10" stroke-dasharray="7 7"/><path d="M-60 -204H60" stroke="#4e8a3a" stroke-width="9" stroke-dasharray="12 6"/>` +
    `<g fill="#4b3a26"><rect x="-178" y="-180" width="76" height="74" rx="3"/><rect x="102" y="-180" width="76" height="74" rx="3"/></g>` +
    `<path d="M-153 -178V-108M-128 -178V-108M127 -178V-108M152 -178V-108" stroke="#d9c9a6" stroke-width="5"/>` +
    `<path d="M-300 -238L-226 -392H226L300 -238Z" fill="#9c4526"/><clipPath id="tiles"><path d="M-300 -238L-226 -392H226L300 -238Z"/></clipPath><g clip-path="url(#tiles)">${tiles}</g>` +
    `<rect x="-226" y="-402" width="452" height="14" rx="7" fill="#7d3319"/>` +
    `<g fill="#8a5a34"><rect x="-222" y="-240" width="16" height="214"/><rect x="206" y="-240" width="16" height="214"/></g>` +
    `<g transform="translate(0 42) scale(1 .34)" fill="none" stroke="#fffdf8" stroke-width="7"><path d="M0 -62L62 0L0 62L-62 0Z"/><circle r="26"/><path d="M-44 -44L44 44M44 -44L-44 44"/></g></g>`
  )
}

/** A small pickup truck with an open bed. Draw the load after it and before `pickupSide`. */
export function pickup(x: number, y: number): string {
  return (
    `<g transform="translate(${x} ${y})">` +
    `<defs><linearGradient id="cab" x2="0" y2="1"><stop stop-color="#ffd25a"/><stop offset="1" stop-color="#e59a12"/></linearGradient></defs>` +
    `<ellipse cx="10" cy="6" rx="380" ry="22" fill="#3b3a16" opacity=".45"/>` +
    `<rect x="-350" y="-130" width="700" height="44" rx="8" fill="#3a302b"/>` +
    `<rect x="-340" y="-272" width="470" height="20" fill="#8a5a34"/><path d="M-330 -270V-120M-230 -270V-120M-130 -270V-120M-30 -270V-120M70 -270V-120" stroke="#6b4022" stroke-width="12"/>` +
    `<path d="M138 -96V-330Q138 -352 160 -352H262Q284 -352 296 -330L340 -222Q362 -216 366 -190V-96Z" fill="url(#cab)"/>` +
    `<path d="M176 -322H254Q268 -322 274 -308L306 -228H176Z" fill="#cfeaf3"/><path d="M186 -322L176 -240V-322Z" fill="#fff" opacity=".5"/><path d="M240 -322L212 -228H236L262 -320Z" fill="#fff" opacity=".45"/>` +
    `<rect x="186" y="-200" width="44" height="10" rx="5" fill="#8a5a12"/><rect x="344" y="-176" width="22" height="30" rx="6" fill="#fff3c4"/><rect x="336" y="-120" width="40" height="26" rx="6" fill="#3a302b"/></g>`
  )
}

/** The near side of the bed and the wheels. */
export function pickupSide(x: number, y: number): string {
  const wheel = (at: number) =>
    `<circle cx="${at}" cy="-58" r="60" fill="#1e1b16"/><circle cx="${at}" cy="-58" r="30" fill="#b9b2a4"/><circle cx="${at}" cy="-58" r="11" fill="#3a302b"/>`
  return (
    `<g transform="translate(${x} ${y})">` +
    `<rect x="-352" y="-212" width="484" height="112" rx="6" fill="#1f5c3a"/><rect x="-352" y="-212" width="484" height="16" rx="6" fill="#2f7a50"/>` +
    `<g transform="translate(-110 -150)"><path d="M0 -30L14 -8L38 0L14 8L0 30L-14 8L-38 0L-14 -8Z" fill="#f2b01e"/><circle r="9" fill="#b5482a"/></g>` +
    `<g fill="none" stroke="#f2b01e" stroke-width="5"><path d="M-320 -152H-180M-40 -152H100"/></g>` +
    `<path d="M-300 -212V-286M-352 -286H132M20 -212V-286M132 -212V-286M-350 -212V-286M-140 -212V-286" stroke="#7a4f2c" stroke-width="13" stroke-linecap="round"/>` +
    `${wheel(-215)}${wheel(252)}</g>`
  )
}

/** A phone held up, with its middle at (x, y). `screen` is a drawing of 1280 x 960, clipped to the screen. */
export function phone(x: number, y: number, screen: string): string {
  return (
    `<g transform="translate(${x} ${y}) rotate(7)"><defs><clipPath id="screen"><rect x="-142" y="-262" width="284" height="524" rx="20"/></clipPath><filter id="lift" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="18"/></filter></defs>` +
    `<rect x="-150" y="-270" width="320" height="580" rx="40" fill="#3d1608" opacity=".4" filter="url(#lift)"/>` +
    `<rect x="-162" y="-292" width="324" height="584" rx="42" fill="#1e1b16"/><rect x="-142" y="-262" width="284" height="524" rx="20" fill="#fffdf8"/>` +
    `<g clip-path="url(#screen)"><svg x="-142" y="-262" width="284" height="300" viewBox="200 120 800 845" preserveAspectRatio="xMidYMid slice">${screen}</svg>` +
    `<rect x="-142" y="38" width="284" height="230" fill="#fffdf8"/><text x="-118" y="102" font-family="sans-serif" font-size="56" font-weight="700" fill="#1e1b16">₹14,500</text>` +
    `<rect x="-118" y="124" width="190" height="16" rx="8" fill="#d8cdb4"/><rect x="-118" y="152" width="140" height="16" rx="8" fill="#e6dcc8"/>` +
    `<rect x="-118" y="188" width="236" height="54" rx="14" fill="#1f5c3a"/><path d="M-22 214l14 14 30-28" fill="none" stroke="#f2b01e" stroke-width="10" stroke-linecap="round" stroke-linejoin="round"/></g>` +
    `<circle cy="-277" r="6" fill="#5f584e"/></g>`
  )
}
