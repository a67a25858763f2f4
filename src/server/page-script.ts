import { startLogin } from '#src/accounts/sign-in/login-script.ts'
import { startHearts } from '#src/alerts/hearts-script.ts'
import { ALIVE_EVENT } from '#src/router-seams/held-submit.ts'
import { startAnimal } from '#src/storefront/animal/animal-script.ts'
import { startCompare } from '#src/storefront/compare/compare-script.ts'
import { startList } from '#src/storefront/list/list-script.ts'
import { startRecent } from '#src/storefront/recent/recent-script.ts'
import { startSuggestions } from '#src/storefront/list/suggest-script.ts'
import { startNearRow } from '#src/storefront/home/near-row-script.ts'
import { startWelcome } from '#src/storefront/home/welcome-script.ts'
import { startCarousels } from '#src/ui/carousel-script.ts'
import { startLikenesses } from '#src/ui/slow-pictures.ts'

// The script of pages that start React on demand (router-seams/start-app.ts). It runs once the document is parsed, and must stay small:
// each line starts one part, a function that listens on the document and keeps its state in the page, its address or on the device.
startCarousels()
startHearts()
startLikenesses()
startList()
startLogin()
startAnimal()
startCompare()
startRecent()
startNearRow()
startSuggestions()
startWelcome()
document.documentElement.dataset.ready = ''
// Releases a submit that waits for this script (router-seams/held-submit.server.ts).
dispatchEvent(new Event(ALIVE_EVENT))
