/** The id of the element that answers a tap while offline. `data-says` holds its text. */
export const OFFLINE_NOTE_ID = 'offline-note'

/**
 * The inline script of every page. While offline, a tap on a link would open the browser's error page and lose what the person reads or writes, so
 * this script shows a note on the current page instead. It also holds back a form that the browser would post itself, and the fields keep their
 * content. The script first asks our server whether it is reachable, because a browser on a machine without network reports "offline" even for a
 * local server.
 */
export const answerWhileOffline = (isOnDemand: string) =>
  [
    // On pages whose taps page-script.ts handles, this listener runs after it. There, the same path with another query also loads a document.
    `!function(d){var isReached=false,isOnDemand=${isOnDemand};`,
    `function say(isOff){var p=d.getElementById("${OFFLINE_NOTE_ID}");if(p)p.textContent=isOff?p.dataset.says:""}`,
    'addEventListener("online",function(){say(false)});',
    'addEventListener("offline",function(){isReached=false});',
    'addEventListener("click",function(e){var a=e.target.closest&&e.target.closest("a[href]");',
    'if(navigator.onLine||isReached||!a||e.defaultPrevented||a.origin!=location.origin)return;',
    'if(isOnDemand?a.href.split("#")[0]==location.href.split("#")[0]:a.pathname==location.pathname)return;',
    'e.preventDefault();e.stopPropagation();',
    'fetch("/healthz",{cache:"no-store"}).then(function(){isReached=true;say(false);a.click()},function(){',
    // The phone may hold a copy of the page (content/offline); then the copy opens.
    'var c=self.caches,w=navigator.serviceWorker,no=function(){say(true)};if(!c||!w||!w.controller)return no();',
    'c.match(a.href.split("#")[0],{ignoreVary:true}).then(function(copy){copy?location.assign(a.href):no()},no)})',
    '},!isOnDemand);',
    // Runs after React, whose forms show their own message.
    'addEventListener("submit",function(e){var form=e.target,button=e.submitter;',
    'if(e.defaultPrevented||navigator.onLine||isReached||form.method=="dialog")return;',
    'e.preventDefault();',
    'fetch("/healthz",{cache:"no-store"}).then(function(){isReached=true;say(false);',
    // The form's handlers have already run once, so submit without events. Add the pressed button, which the browser would otherwise send.
    'if(button&&button.name){var sent=d.createElement("input");sent.type="hidden";sent.name=button.name;sent.value=button.value;form.append(sent)}',
    'HTMLFormElement.prototype.submit.call(form)},function(){say(true)})',
    '})',
    '}(document)',
  ].join('')
