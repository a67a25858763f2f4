import { ALIVE_EVENT, LATE_PART, SCRIPTED } from './held-submit.ts'
import { APP_PART, IS_ON_DEMAND } from './start-app.ts'

/**
 * Part of the inline script of every page. The touch that starts the scripts may submit a form, which the browser would post while React takes over
 * this form. So this script holds the submit until the form's code has loaded, and then repeats it once with the pressed button. When the scripts
 * fail (`giveUp`, called by late-scripts.server.ts) or take more than half a minute, the browser posts the form. Where React starts on demand, the
 * browser handles a form outside `[data-app]`; one with `data-scripted` waits for page-script.ts.
 * To remove: when React replays a submit from before hydration, as it does for clicks.
 */
export const holdEarlySubmits = [
  'var giveUp=function(d){var held,timer,isOver;',
  'function isAlive(){return"alive"in d.documentElement.dataset}',
  `function isEarly(form){return!isOver&&form.method!="dialog"&&(${IS_ON_DEMAND}&&!form.closest("[${APP_PART}]")?form.matches("[${SCRIPTED}]")&&!("ready"in d.documentElement.dataset):!isAlive()||!!form.closest("[${LATE_PART}]"))}`,
  'function goOn(){if(!held||isEarly(held.form))return;',
  'var it=held,form=it.form.isConnected?it.form:d.forms[it.at];held=null;clearTimeout(timer);delete it.mark.dataset.held;',
  // A missing button was for visitors without scripts; the scripts have already loaded what it would bring.
  'var button=it.button&&[].find.call(form?form.elements:[],function(e){return e==it.button||!it.button.isConnected&&e.type=="submit"&&e.name==it.button.name&&e.value==it.button.value});',
  // Asynchronous, because a second submit during the form's submit event is ignored.
  'if(form&&(button||!it.button))setTimeout(function(){form.requestSubmit(button)})}',
  'function giveUp(){if(!isAlive())isOver=true;goOn()}',
  'addEventListener("submit",function(e){var form=e.target;if(!isEarly(form))return;',
  'e.preventDefault();e.stopImmediatePropagation();',
  'if(held)delete held.mark.dataset.held;else timer=setTimeout(function(){isOver=true;goOn()},30000);',
  'held={form:form,button:e.submitter,at:[].indexOf.call(d.forms,form),mark:e.submitter||form};',
  'held.mark.dataset.held=""},true);',
  `addEventListener("${ALIVE_EVENT}",goOn);`,
  // For a module that an old browser cannot parse or that does not load.
  'addEventListener("error",giveUp);addEventListener("unhandledrejection",giveUp);',
  'return giveUp}(document)',
].join('')
