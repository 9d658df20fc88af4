import { useState } from 'react'
import { type LiveState, useLive } from '../api/live'
import { useMe, useSession } from '../api/session'
import { clockTime } from '../ui/format'
import { Icon } from '../ui/icons'
import { A } from '../ui/link'
import { chooseTheme, shownTheme } from '../ui/theme'
import { openPalette } from './palette-state'

export function TopBar() {
  const { state } = useSession()
  const isIn = state.at === 'in' || state.at === 'expired'
  return (
    <header className="top">
      {isIn ? <Tenant /> : <span className="tenant">Parapet</span>}
      <span className="space" />
      {isIn ? <Finder /> : null}
      {isIn ? <LiveDot /> : null}
      <ThemeButton />
      {isIn ? <Person /> : <a href="/">Sign in</a>}
    </header>
  )
}

function Tenant() {
  const { tenant } = useMe()
  return (
    <span className="tenant" title={`Tenant ${tenant.slug}`}>
      {tenant.name}
    </span>
  )
}

function Finder() {
  return (
    <button type="button" className="button finder" onClick={openPalette} title="Find a page">
      <Icon name="search" size={15} />
      <span className="rail-text">Find a page</span> <kbd>Ctrl K</kbd>
    </button>
  )
}

const liveWords = (state: LiveState): string => {
  if (state.at === 'live') return 'Live'
  if (state.at === 'connecting') return 'Connecting'
  return `Offline since ${clockTime(state.since)}, read anew every 15 s`
}

function LiveDot() {
  const { state } = useLive()
  const told = liveWords(state)
  return (
    <output className="live" data-at={state.at} aria-label={told} title={told}>
      <i />
      <span>{told}</span>
    </output>
  )
}

function ThemeButton() {
  const [theme, setTheme] = useState(shownTheme)
  const next = theme === 'dark' ? 'light' : 'dark'
  const change = (): void => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <button type="button" className="button quiet" onClick={change} aria-label={`Use the ${next} theme`}>
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  )
}

function Person() {
  const { user, role } = useMe()
  const { signOut } = useSession()
  return (
    <>
      <A href="/iam/account" className="person small" title="Your account">
        <strong>{user.display_name ?? user.email}</strong> <span className="soft">{role}</span>
      </A>
      <button type="button" className="button quiet" onClick={() => void signOut()} aria-label="Sign out">
        <Icon name="out" />
      </button>
    </>
  )
}
