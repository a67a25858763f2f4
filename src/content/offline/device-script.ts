import { startCopyNote } from './copy-note.ts'
import { startInstallOffer } from './install-offer.ts'
import { startPhonePage } from './phone-page.ts'

// What a page does on a phone that has been here before: loaded after everything else, and only where the service worker answers
// (start-offline-copies.ts). A first visit carries none of it.
startCopyNote()
startInstallOffer()
void startPhonePage()
