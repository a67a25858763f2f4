import { RadioCards } from '#src/ui/radio-cards.tsx'

interface VerdictFieldProps {
  /** Id of the field in the page; its error's id derives from it. */
  id: string
  name: string
  label: string
  pass: string
  fail: string
  typed: string | undefined
  error: string | undefined
  hasHiddenLegend?: boolean
}

/** Pass or Fail of an animal, by an admin or a vet: `yes` or `no`, nothing preselected. */
export const VerdictField = ({ label, pass, fail, typed, ...field }: VerdictFieldProps) => (
  <RadioCards
    {...field}
    legend={label}
    options={[
      { id: 'yes', name: pass, className: large },
      { id: 'no', name: fail, className: `${large} has-checked:border-brick has-checked:bg-brick-soft`, tick: 'accent-brick' },
    ]}
    chosen={typed}
    columns="grid-cols-2"
  />
)

const large = 'min-h-12 gap-2 px-2.5 font-semibold lg:text-sm'
