export { AccountPage } from './account'
export { InvitationPage } from './invitation'
export { ConfirmEmailPage, ForgotPage, ResetPage } from './password-pages'
