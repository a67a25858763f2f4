import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { storeText, textOnDevice } from '#src/kit/device/storage.ts'

/** The last place that somebody chose on this device: a PIN code, a town or a coarse cell (near-script.ts). A logout deletes it. */
const KEY = `${OWN_ON_DEVICE}near`

export const nearOnDevice = () => textOnDevice(KEY)
export const noteNear = (near: string | null) => storeText(KEY, near)

/**
 * An inline script that runs while the browser parses the page, to reserve the row's space before the first paint. It must not use other code of this
 * file.
 */
export const showNearRow = `!function(d){try{localStorage.getItem("${KEY}")&&(d.dataset.near="")}catch(e){}}(document.documentElement)`
