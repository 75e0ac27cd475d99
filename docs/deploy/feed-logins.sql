-- psql makes the logins of the DNS daemon and web forwarding, or sets their passwords where they exist. The passwords are in
-- DNS_PASSWORD and FORWARD_PASSWORD.
\getenv dns_password DNS_PASSWORD
\getenv forward_password FORWARD_PASSWORD
select format(
  '%s role dns1 login password %L',
  case when exists (select from pg_roles where rolname = 'dns1') then 'alter' else 'create' end,
  :'dns_password'
) \gexec
grant homing_dnsd to dns1;
select format(
  '%s role forward1 login password %L',
  case when exists (select from pg_roles where rolname = 'forward1') then 'alter' else 'create' end,
  :'forward_password'
) \gexec
grant homing_forwarder to forward1;
