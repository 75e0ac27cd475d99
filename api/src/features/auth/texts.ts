/** What people read while they sign up and in. */
export const TEXTS = {
  registered: 'Please check your email to verify your account.',
  usernameTaken: 'This user name is taken. Please choose another.',
  captchaMissing: 'Please complete the CAPTCHA',
  manyAccounts: 'Too many accounts were opened from this network today. Please try again later.',
  termsRefused: 'An account needs the terms to be accepted.',
  verified: 'Email Verified!',
  linkInvalid: 'Invalid verification link',
  linkExpired: 'This verification link has expired. Request a new one.',
  resent: 'If an account waits for this address to be verified, a new link is on its way.',
  forgotten: 'If an account has this address, a link is on its way. It expires in 1 hour.',
  resetDone: 'Password Reset Successful!',
  resetLinkInvalid: 'Invalid or expired reset token',
  resetLinkExpired: 'This reset link has expired. Request a new one.',
  passwordMissing: 'A new password is needed.',
  passwordsDiffer: 'Passwords do not match',
  wrongCredentials: 'Invalid username/email or password',
} as const
