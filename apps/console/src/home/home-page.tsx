import { useMay, useMe } from '../api/session'
import { Page } from '../ui/panel'
import { CallsPanel } from './calls-panel'
import { KillPanel } from './kill-panel'
import { OpenAlerts } from './open-alerts'
import { RaisePanel } from './raise-panel'
import { RecentBlocks } from './recent-blocks'
import { TrustPanel } from './trust-panel'

export function HomePage() {
  const { tenant } = useMe()
  const [trust, gateway, aegis] = [useMay('trust:read'), useMay('gateway:read'), useMay('aegis:read')]
  return (
    <Page title="Overview" purpose={`How ${tenant.name} stands now, and the next things that would help.`}>
      <div className="grid">
        {trust ? <TrustPanel className="seven" /> : null}
        {trust ? <RaisePanel className="five" /> : null}
        {gateway ? <CallsPanel className="eight" /> : null}
        {gateway ? <KillPanel className="four" /> : null}
        {gateway ? <RecentBlocks className="seven" /> : null}
        {aegis ? <OpenAlerts className="five" /> : null}
      </div>
    </Page>
  )
}
