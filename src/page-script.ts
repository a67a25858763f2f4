import { startHearts } from '#src/alerts/hearts-script.ts'
import { startList } from '#src/storefront/list/list-script.ts'
import { startWelcome } from '#src/storefront/home/welcome-script.ts'
import { startCarousels } from '#src/ui/carousel-script.ts'
import { startLikenesses } from '#src/ui/slow-pictures.ts'
import { countView } from '#src/storefront/animal/view-counter.ts'

// What pages do that start React on demand (router-seams/start-app.ts). It runs once the document is parsed, and must stay small: each line
// starts one part, a function that listens on the document and keeps its state in the page, its address or on the device.
startCarousels()
startHearts()
startLikenesses()
startList()
startViewCount()
startWelcome()
document.documentElement.dataset.ready = ''

function startViewCount() {
  const id = document.querySelector<HTMLElement>('[data-view-of]')?.dataset.viewOf
  if (id) void countView(Number(id))
}
