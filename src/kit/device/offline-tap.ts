/** The element that answers a tap while offline; its text stands in `data-says`. */
export const OFFLINE_NOTE_ID = 'offline-note'

/**
 * The inline script of every page. While offline, a tap on a link would end in the browser's own error page and lose what one reads and
 * writes, so it is answered on this page. So is a form that the browser posts itself: what was typed stays. The script asks our server
 * whether it can be reached, because a browser on a machine that speaks only to itself reports that it is offline.
 */
export const answerWhileOffline = (isOnDemand: string) =>
  [
    // Where page-script.ts answers taps, this comes after it, and another query of the same page is a document, too.
    `!function(d){var isReached=false,isOnDemand=${isOnDemand};`,
    `function say(isOff){var p=d.getElementById("${OFFLINE_NOTE_ID}");if(p)p.textContent=isOff?p.dataset.says:""}`,
    'addEventListener("online",function(){say(false)});',
    'addEventListener("offline",function(){isReached=false});',
    'addEventListener("click",function(e){var a=e.target.closest&&e.target.closest("a[href]");',
    'if(navigator.onLine||isReached||!a||e.defaultPrevented||a.origin!=location.origin)return;',
    'if(isOnDemand?a.href.split("#")[0]==location.href.split("#")[0]:a.pathname==location.pathname)return;',
    'e.preventDefault();e.stopPropagation();',
    'fetch("/healthz",{cache:"no-store"}).then(function(){isReached=true;say(false);a.click()},function(){',
    // The page may be on the phone (content/offline): then it opens from there.
    'var c=self.caches,w=navigator.serviceWorker,no=function(){say(true)};if(!c||!w||!w.controller)return no();',
    'c.match(a.href.split("#")[0],{ignoreVary:true}).then(function(copy){copy?location.assign(a.href):no()},no)})',
    '},!isOnDemand);',
    // After React, whose forms have their own words for it.
    'addEventListener("submit",function(e){var form=e.target,button=e.submitter;',
    'if(e.defaultPrevented||navigator.onLine||isReached||form.method=="dialog")return;',
    'e.preventDefault();',
    'fetch("/healthz",{cache:"no-store"}).then(function(){isReached=true;say(false);',
    // Its handlers have heard of it once already; the button that was pressed is part of what is sent.
    'if(button&&button.name){var sent=d.createElement("input");sent.type="hidden";sent.name=button.name;sent.value=button.value;form.append(sent)}',
    'HTMLFormElement.prototype.submit.call(form)},function(){say(true)})',
    '})',
    '}(document)',
  ].join('')
