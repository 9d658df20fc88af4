import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../api/session'
import { A, useHere } from '../ui/link'
import { Boundary } from '../ui/panel'
import { areas } from './areas'
import { Palette } from './palette'
import { Rail } from './rail'
import { TopBar } from './top-bar'

const railKey = 'parapet.rail'

/** Rail, bar and the page between them. Strangers see it around public pages only. */
export function Shell() {
  const { state } = useSession()
  const here = useHere()
  const [narrow, setNarrow] = useState(() => localStorage.getItem(railKey) === 'narrow')
  const fold = (): void => {
    localStorage.setItem(railKey, narrow ? 'wide' : 'narrow')
    setNarrow(!narrow)
  }
  const isIn = state.at === 'in' || state.at === 'expired'
  return (
    <div className="shell" data-rail={narrow ? 'narrow' : 'wide'}>
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <Rail narrow={narrow} onFold={fold} />
      <div>
        <TopBar />
        {isIn && state.me.tenant.slug === 'demo' ? (
          <p className="demo">Demo tenant: everything here was made by the demo, and nothing of it is anybody’s.</p>
        ) : null}
        <main className="page" id="page" tabIndex={-1}>
          <SubNav here={here} />
          <Boundary key={here}>
            <Outlet />
          </Boundary>
        </main>
      </div>
      {isIn ? <Palette /> : null}
    </div>
  )
}

function SubNav({ here }: { readonly here: string }) {
  const area = areas.find(({ below, pages }) => pages.length > 0 && here.startsWith(`${below}/`))
  if (area === undefined) return null
  return (
    <nav className="subnav" aria-label={area.name}>
      {area.pages.map(({ name, href }) => (
        <A key={href} href={href} below={href}>
          {name}
        </A>
      ))}
    </nav>
  )
}
