import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { m } from '#src/paraglide/messages.js'
import { replaceAddress } from '#src/router-seams/history-entry.ts'
import { Icon } from '#src/ui/icon.tsx'
import { focusFirstError } from '#src/ui/use-focus-on-error.ts'
import { hashOf, stepAt, stepOf, steps, type StepName } from './steps.ts'

const stepNames: Record<StepName, () => string> = {
  photos: m.sell_step_photos,
  animal: m.sell_step_animal,
  price: m.sell_step_price,
  place: m.sell_step_place,
  check: m.sell_step_check,
}

/** Until the species is chosen, these have no questions. */
const needsSpecies = (step: StepName) => steps.indexOf(step) >= 2

/** The step that is shown. Where scripts run, the others are hidden. */
const ShownStep = createContext<StepName>('photos')

/**
 * The address names the step, so the phone's own way back leads to the step before. Until the species is chosen
 * (`isOpen`), an address of a later step leads to that choice. `show` goes to the step of a wrong field and focuses it.
 */
export function useSteps(form: RefObject<HTMLFormElement | null>, isOpen: boolean) {
  const [at, setAt] = useState<{ step: StepName; isWrong: boolean }>({ step: 'photos', isWrong: false })
  const shown = useRef(at)
  useEffect(() => {
    const read = () => {
      const step = stepAt(location.hash)
      if (step) setAt((now) => (now.step === step && !now.isWrong ? now : { step, isWrong: false }))
    }
    if (location.hash) read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  useEffect(() => {
    if (isOpen || !needsSpecies(at.step)) return
    replaceAddress(hashOf('animal'))
    setAt({ step: 'animal', isWrong: false })
  }, [at, isOpen])
  useEffect(() => {
    if (shown.current === at) return
    shown.current = at
    if (at.isWrong) {
      focusFirstError(form.current)?.closest('fieldset, section, div')?.scrollIntoView({ block: 'center' })
      return
    }
    scrollTo({ top: 0 })
    form.current?.querySelector<HTMLElement>(`[data-step=${at.step}]`)?.focus({ preventScroll: true })
  }, [at, form])
  const show = useCallback((field: string) => {
    const step = stepOf(field)
    replaceAddress(hashOf(step))
    setAt({ step, isWrong: true })
  }, [])
  return useMemo(() => ({ step: at.step, show }), [at.step, show])
}

/** The sections of one step. */
export function StepPanel({ step, children }: { step: StepName; children: ReactNode }) {
  const isShown = use(ShownStep) === step
  return (
    <div
      data-step={step}
      role="group"
      aria-label={stepNames[step]()}
      tabIndex={-1}
      className={`min-w-0 gap-4 ${isShown ? 'grid' : 'hidden noscript:grid'}`}
    >
      {children}
    </div>
  )
}

interface StepsProps {
  step: StepName
  /** Fields that still want an answer. */
  missing: string[]
  /** A submit was tried: what is missing is marked. */
  isMarked: boolean
  /** The species is chosen. */
  isOpen: boolean
  children: ReactNode
}

/** The bar on top, and the steps below it. */
export function FormSteps({ step, missing, isMarked, isOpen, children }: StepsProps) {
  const unfinished = new Set(missing.map(stepOf))
  return (
    <ShownStep value={step}>
      <nav aria-label={m.sell_steps()} className="noscript:hidden">
        <ol className="grid grid-cols-5">
          {steps.map((name, index) => {
            const isDone = isOpen && !unfinished.has(name)
            const isWrong = isMarked && unfinished.has(name)
            return (
              <li key={name} className="min-w-0">
                <StepLink
                  to={isOpen || !needsSpecies(name) ? name : null}
                  aria-current={name === step ? 'step' : undefined}
                  className="group flex min-h-14 flex-col items-center justify-center gap-0.5 rounded-control text-sm font-semibold text-stone aria-[current=step]:text-leaf"
                >
                  <span
                    aria-hidden="true"
                    className={`grid size-7 place-items-center rounded-full border-2 text-sm group-aria-[current=step]:border-leaf group-aria-[current=step]:bg-leaf group-aria-[current=step]:text-white ${isWrong ? 'border-brick bg-brick-soft text-brick' : isDone ? 'border-leaf bg-leaf-soft text-leaf' : 'border-line bg-field'}`}
                  >
                    {isWrong ? '!' : isDone ? '✓' : index + 1}
                  </span>
                  <span className="max-w-full truncate">{stepNames[name]()}</span>
                  {isWrong && <span className="sr-only">: {m.sell_step_missing()}</span>}
                  {isDone && <span className="sr-only">: {m.sell_step_done()}</span>}
                </StepLink>
              </li>
            )
          })}
        </ol>
      </nav>
      {children}
    </ShownStep>
  )
}

/** Back and Next, and what ends the form. On a phone it stands at the foot of the screen instead of the market's places (app.css). */
export function StepFoot({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const at = steps.indexOf(use(ShownStep))
  const [before, next] = [steps[at - 1], steps[at + 1]]
  return (
    <div
      data-step-bar
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-paper px-3 py-1.5 short:static noscript:static md:static md:border-0 md:bg-transparent md:p-0"
    >
      <div className="mx-auto flex min-h-13 max-w-md items-center gap-3 md:max-w-none">
        {before && (
          <StepLink to={before} className="button-plain size-12 shrink-0 px-0 noscript:hidden">
            <Icon name="back" />
            <span className="sr-only">{m.sell_step_back()}</span>
          </StepLink>
        )}
        {next && (
          <StepLink
            to={isOpen || !needsSpecies(next) ? next : null}
            className="button-primary min-h-12 min-w-0 flex-1 text-lg aria-disabled:opacity-60 noscript:hidden"
          >
            {m.sell_next()}
          </StepLink>
        )}
        {children}
      </div>
    </div>
  )
}

/** `to` null: not to be reached yet. */
function StepLink({
  to,
  className,
  children,
  ...link
}: {
  to: StepName | null
  className: string
  children: ReactNode
  'aria-current'?: 'step' | undefined
}) {
  if (to === null)
    return (
      // A link that leads nowhere yet.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles, jsx-a11y/anchor-is-valid -- without an address it has the role of nothing
      <a role="link" aria-disabled="true" className={className}>
        {children}
      </a>
    )
  // The way back to an address without a section would be a new visit to the page.
  const nameStart = () => location.hash === '' && replaceAddress(hashOf('photos'))
  return (
    <a {...link} href={hashOf(to)} onClick={nameStart} className={className}>
      {children}
    </a>
  )
}
