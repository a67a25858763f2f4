/**
 * The kill switch: sent in the worker's place where `OFFLINE_COPIES=0`. Browsers look for a newer worker with each page that is opened, so
 * a phone gets it with the next one. It removes itself and every copy; what waits to be sent stays, and is sent by the pages.
 */
export const retiredWorker = [
  'addEventListener("install",function(){skipWaiting()});',
  'addEventListener("activate",function(e){e.waitUntil(caches.keys().then(function(names){',
  'return Promise.all(names.filter(function(name){return/^(copy:|own:copy-)/.test(name)}).map(function(name){return caches.delete(name)}))',
  '}).then(function(){indexedDB.deleteDatabase("sandhai-copies");return registration.unregister()}))})',
].join('')
