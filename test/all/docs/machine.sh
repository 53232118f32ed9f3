# Becomes the shell of a machine of its own: this machine's files, of which changes are forgotten, no
# network but loopback, its own processes, and the project in /opt/parking as it would be cloned.
set -e
project=$1
room=/mnt
mount -t tmpfs tmpfs "$room"
mkdir "$room"/{upper,work,root,packages,packages-work}
root=$room/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$room/upper,workdir=$room/work" "$root"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
chmod 1777 "$root/tmp"
# Where the project is below /tmp, too, programs of the tests are at their own paths.
mkdir -p "$root$project"
mount --bind "$project" "$root$project"
mount -t proc proc "$root/proc"
ip link set lo up
echo "127.0.0.1 host parking.example.org elm.example.org" >>"$root/etc/hosts"

mkdir -p "$root/opt/parking/node_modules"
git -C "$project" ls-files -z --cached --others --exclude-standard |
  tar -C "$project" --null --ignore-failed-read -T - -c 2>/dev/null | tar -C "$root/opt/parking" --no-same-owner -x
git -C "$root/opt/parking" init -q -b main
git -C "$root/opt/parking" add -A
git -C "$root/opt/parking" -c user.name=Ada -c user.email=ada@demo.example commit -qm "As it is"
packages=lowerdir=$project/node_modules,upperdir=$room/packages,workdir=$room/packages-work
mount -t overlay overlay -o "$packages" "$root/opt/parking/node_modules"

exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  chroot "$root" bash
