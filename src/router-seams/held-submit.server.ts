import { ALIVE_EVENT, LATE_PART, SCRIPTED } from './held-submit.ts'
import { APP_PART, IS_ON_DEMAND } from './start-app.ts'

/**
 * In the inline script of every page. A touch starts the scripts, and the same touch may send a form: the browser would post it and leave
 * the page while React takes that very form over. Until the form's code is here its submit is held, and done once with the button that
 * was pressed; by then it is what a tap on the finished page is. When the scripts fail, the browser posts it, and so it does after half a
 * minute: a line on which they take longer than that carries no whole page sooner. Where the app starts on demand, a form outside `[data-app]`
 * is the browser's; one that says `data-scripted` waits for page-script.ts.
 * (router-seams/late-scripts.server.ts calls `giveUp` when they cannot be loaded.)
 * To remove: when React answers a form that was sent before it took the form over, as it does for clicks.
 */
export const holdEarlySubmits = [
  'var giveUp=function(d){var held,timer,isOver;',
  'function isAlive(){return"alive"in d.documentElement.dataset}',
  `function isEarly(form){return!isOver&&form.method!="dialog"&&(${IS_ON_DEMAND}&&!form.closest("[${APP_PART}]")?form.matches("[${SCRIPTED}]")&&!("ready"in d.documentElement.dataset):!isAlive()||!!form.closest("[${LATE_PART}]"))}`,
  'function goOn(){if(!held||isEarly(held.form))return;',
  'var it=held,form=it.form.isConnected?it.form:d.forms[it.at];held=null;clearTimeout(timer);delete it.mark.dataset.held;',
  // A button that is gone was for those without scripts: what it would have brought is there.
  'var button=it.button&&[].find.call(form?form.elements:[],function(e){return e==it.button||!it.button.isConnected&&e.type=="submit"&&e.name==it.button.name&&e.value==it.button.value});',
  // Asynchronously: while the form's submit event is running a second submit is ignored.
  'if(form&&(button||!it.button))setTimeout(function(){form.requestSubmit(button)})}',
  'function giveUp(){if(!isAlive())isOver=true;goOn()}',
  'addEventListener("submit",function(e){var form=e.target;if(!isEarly(form))return;',
  'e.preventDefault();e.stopImmediatePropagation();',
  'if(held)delete held.mark.dataset.held;else timer=setTimeout(function(){isOver=true;goOn()},30000);',
  'held={form:form,button:e.submitter,at:[].indexOf.call(d.forms,form),mark:e.submitter||form};',
  'held.mark.dataset.held=""},true);',
  `addEventListener("${ALIVE_EVENT}",goOn);`,
  // Of a module that an old browser cannot read, or that does not arrive.
  'addEventListener("error",giveUp);addEventListener("unhandledrejection",giveUp);',
  'return giveUp}(document)',
].join('')
