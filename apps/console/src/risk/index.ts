export { RegisterPage } from './register'
export { RiskDrawer } from './risk-drawer'
export { ThreatsPage } from './threats'
