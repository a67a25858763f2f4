import { localeOfPath } from '#src/kit/text/locale.ts'
import { askWorker } from '#src/kit/device/ask-worker.ts'
import { startCopyNote } from './copy-note.ts'
import { startInstallOffer } from './install-offer.ts'
import { startPhonePage } from './phone-page.ts'
import { startSending } from './sending-note.ts'

// Features for returning phones: loaded after everything else, and only when the service worker is in control (start-offline-copies.ts). A
// first visit loads none of it.
startCopyNote()
startInstallOffer()
startSending()
void startPhonePage()
if (navigator.onLine) void askWorker({ ask: 'refresh', locale: localeOfPath(location.pathname) })
