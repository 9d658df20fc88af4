import { Facts } from './field'
import { words } from './format'

interface StaleProps {
  /** Fields that differ: as they were read, as they are now, and as they were to be. */
  readonly rows: readonly {
    readonly name: string
    readonly read: string
    readonly now: string
    readonly wanted: string
  }[]
  readonly onReload: () => void
}

/** A change that came too late: nothing was written, and both versions are here to see. */
export function Stale({ rows, onReload }: StaleProps) {
  return (
    <div className="problem" role="alert">
      <strong>Somebody changed this meanwhile, and your change was not made</strong>
      <Facts
        rows={rows.map(({ name, read, now, wanted }) => [
          words(name),
          `was ${read}, is now ${now}, you wanted ${wanted}`,
        ])}
      />
      <span className="row small">
        <button type="button" className="button tiny" onClick={onReload}>
          Show the new version
        </button>
        <span>It was refused with API-012; decide again on what is there now.</span>
      </span>
    </div>
  )
}
