/**
 * The kill switch: served in place of the worker when `OFFLINE_COPIES=0`. Browsers look for a newer worker with each page they open, so a
 * phone gets it with its next page. It removes itself and every copy. Waiting acts stay, and the pages send them.
 */
export const retiredWorker = [
  'addEventListener("install",function(){skipWaiting()});',
  'addEventListener("activate",function(e){e.waitUntil(caches.keys().then(function(names){',
  'return Promise.all(names.filter(function(name){return/^(copy:|own:copy-)/.test(name)}).map(function(name){return caches.delete(name)}))',
  '}).then(function(){indexedDB.deleteDatabase("sandhai-copies");return registration.unregister()}))})',
].join('')
