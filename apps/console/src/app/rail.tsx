import { useSession } from '../api/session'
import { Icon, Mark } from '../ui/icons'
import { A } from '../ui/link'
import { areas, docs } from './areas'

interface RailProps {
  readonly narrow: boolean
  readonly onFold: () => void
}

export function Rail({ narrow, onFold }: RailProps) {
  const { state } = useSession()
  const permissions = state.at === 'in' || state.at === 'expired' ? state.me.permissions : null
  const shown = areas.filter(
    ({ permission }) => permissions !== null && (permission === null || permissions.includes(permission)),
  )
  return (
    <nav className="rail" aria-label="Areas">
      <A href="/" className="brand" aria-label="Parapet, home">
        <Mark />
        <span className="rail-text">Parapet</span>
      </A>
      {shown.map(({ name, icon, href, below }) => (
        <A
          key={href}
          href={href}
          below={below}
          className="rail-link"
          title={narrow ? name : undefined}
          aria-label={name}
        >
          <Icon name={icon} />
          <span className="rail-text">{name}</span>
        </A>
      ))}
      <div className="rail-foot">
        <A href={docs.href} className="rail-link" aria-label={docs.name}>
          <Icon name="docs" />
          <span className="rail-text">{docs.name}</span>
        </A>
        <button
          type="button"
          className="rail-link plain"
          onClick={onFold}
          aria-label={narrow ? 'Widen the rail' : 'Narrow the rail'}
        >
          <Icon name={narrow ? 'unfold' : 'fold'} size={17} />
          <span className="rail-text">Narrow</span>
        </button>
      </div>
    </nav>
  )
}
