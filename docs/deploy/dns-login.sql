-- psql makes the login of the DNS daemon, or sets its password where it exists. The password is in DNS_PASSWORD.
\getenv password DNS_PASSWORD
select format(
  '%s role dns1 login password %L',
  case when exists (select from pg_roles where rolname = 'dns1') then 'alter' else 'create' end,
  :'password'
) \gexec
grant homing_dnsd to dns1;
