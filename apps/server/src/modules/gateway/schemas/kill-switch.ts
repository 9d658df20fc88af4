/** Forms of the kill switches, which all doors share. */
export {
  ActivateKillSwitch,
  DeactivateKillSwitch,
  KillSwitchQuery as KillSwitchFilter,
  KillSwitchView as KillSwitch,
  KillSwitchView as KillSwitchResource,
  ListedKillSwitch,
} from '../../aegis/api.ts'
