import { WORKER_PATH } from './names.ts'

/**
 * In the inline script of every page (`d` is the document of the one before it): registers the service worker when the page has loaded.
 * Where one answers already it is not somebody's first page, and the device script comes, too (device-script.ts). The browser's offer to
 * install the market waits for that script.
 */
export const startOfflineCopies = [
  ';!function(d,w){addEventListener("beforeinstallprompt",function(e){e.preventDefault();self.installOffer=e;dispatchEvent(new Event("install-offer"))});',
  'addEventListener("load",function(){if(!w)return;',
  `w.register("${WORKER_PATH}").catch(function(){});`,
  'if(w.controller){var s=d.createElement("script");s.type="module";s.src=d.documentElement.dataset.device;d.head.append(s)}',
  '})}(document,navigator.serviceWorker)',
].join('')
