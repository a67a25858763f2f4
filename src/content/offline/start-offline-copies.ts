import { WORKER_PATH } from './names.ts'

/**
 * In the inline script of every page (`d` is the document of the previous one): registers the service worker when the page has loaded. If a
 * worker is already in control, this is not the first page, so it also loads the device script (device-script.ts). It holds the browser's
 * install event for that script.
 */
export const startOfflineCopies = [
  ';!function(d,w){addEventListener("beforeinstallprompt",function(e){e.preventDefault();self.installOffer=e;dispatchEvent(new Event("install-offer"))});',
  'addEventListener("load",function(){if(!w)return;',
  `w.register("${WORKER_PATH}").catch(function(){});`,
  'if(w.controller){var s=d.createElement("script");s.type="module";s.src=d.documentElement.dataset.device;d.head.append(s)}',
  '})}(document,navigator.serviceWorker)',
].join('')
