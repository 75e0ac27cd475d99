#!/bin/sh
# Installs the programs that some tests need and npm cannot install: on Debian, as root. A test that needs a missing program
# reports it. This is a script for sh because it runs while npm still installs the Node of the other scripts.

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export DEBIAN_FRONTEND=noninteractive

# program, Debian package
missing=$(while read -r program package; do
  command -v "$program" > /dev/null || echo "$package"
done << 'END'
caddy caddy
chromium-headless-shell chromium-headless-shell
ddclient ddclient
dig bind9-dnsutils
dnsviz dnsviz
drill ldnsutils
faketime faketime
fish fish
inadyn inadyn
ip iproute2
kdig knot-dnsutils
knotd knot
named bind9
nginx nginx-light
nsd nsd
openssl openssl
script bsdutils
systemd-analyze systemd
unbound unbound
zonemaster-cli zonemaster-cli
zsh zsh
END
)
[ -n "$missing" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null || exit 0

# Debian asks this file whether a package may start its daemon. Tests start what they need, and nothing else may listen on
# port 53.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' > $policy
  chmod +x $policy
fi

# One argument for each package.
install() { apt-get install -qq -y --no-install-recommends $missing; }

echo installing $missing
log=$(mktemp)
{ install || { apt-get update -qq && install; }; } > "$log" 2>&1 || cat "$log"
rm -f "$log"
for unit in $missing; do systemctl --quiet disable "$unit" > /dev/null 2>&1; done
exit 0
