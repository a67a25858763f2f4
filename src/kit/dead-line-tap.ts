/** The place where a tap on a dead line is answered; what it says stands in its `data-says`. */
export const DEAD_LINE_ID = 'dead-line'

/**
 * The inline script of every page. A tap that leads to another page on a dead line would end in the browser's own error page, and so would
 * what one reads and writes: it is answered on this page. Whether we can be reached is asked of us, because a browser on a machine that
 * speaks only to itself says that it has no line.
 */
export const stayOnDeadLine = [
  '!function(d){var isReached=false;',
  `function say(dead){var p=d.getElementById("${DEAD_LINE_ID}");if(p)p.textContent=dead?p.dataset.says:""}`,
  'addEventListener("online",function(){say(false)});',
  'addEventListener("offline",function(){isReached=false});',
  'addEventListener("click",function(e){var a=e.target.closest&&e.target.closest("a[href]");',
  'if(navigator.onLine||isReached||!a||a.origin!=location.origin||a.pathname==location.pathname)return;',
  'e.preventDefault();e.stopPropagation();',
  'fetch("/healthz",{cache:"no-store"}).then(function(){isReached=true;say(false);a.click()},function(){say(true)})',
  '},true)',
  '}(document)',
].join('')
