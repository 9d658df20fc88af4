import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'
import { words } from './format'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly hint?: string
}

export function Field({ label, hint, ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        {...rest}
      />
      {hint === undefined ? null : (
        <span className="small soft" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}

interface AreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly label: string
}

export function Area({ label, ...rest }: AreaProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea className="input" id={id} {...rest} />
    </div>
  )
}

/** A value that stands for itself, or one with a label of its own. */
export type Option = string | { readonly value: string; readonly label: string }

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  /** Words of the choice of none; without it one has to be chosen. */
  readonly none?: string
  /** Options are names of somebody else and stay as they are. */
  readonly verbatim?: boolean
  readonly onChange: (value: string) => void
}

export function Choice({ label, value, options, none, verbatim = false, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select className="input" id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {options.map((option) => {
          const name = typeof option === 'string' ? option : option.value
          const shown = typeof option === 'string' && !verbatim ? words(option) : option
          return (
            <option key={name} value={name}>
              {typeof shown === 'string' ? shown : shown.label}
            </option>
          )
        })}
      </select>
    </div>
  )
}

interface SwitchProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly T[]
  readonly onChange: (value: T) => void
}

/** A few ways to see the same thing. */
export function Switch<T extends string>({ label, value, options, onChange }: SwitchProps<T>) {
  return (
    <fieldset className="tabs" aria-label={label}>
      {options.map((option) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {words(option)}
        </button>
      ))}
    </fieldset>
  )
}

export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: React.ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  )
}

function FactRow({ name, value }: { readonly name: string; readonly value: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value ?? <span className="faint">–</span>}</dd>
    </>
  )
}
