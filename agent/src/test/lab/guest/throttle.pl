#!/usr/bin/perl
# throttle.pl spin|burst FILE: what a quota holds. Waits until FILE.go is there, after FILE.ready is.
#   spin   20 s of one busy thread; how long it was kept from running, and that wall time, in seconds, is then in FILE
#   burst  a little to run every 20 ms, and once, after 40 s, 0.4 s of CPU time at once; FILE.burst is there afterwards
use strict;
use warnings;
use Time::HiRes qw(sleep clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID);

my ($what, $file) = @ARGV;

sub wall { clock_gettime(CLOCK_MONOTONIC) }
sub cpu { clock_gettime(CLOCK_PROCESS_CPUTIME_ID) }
sub put { open(my $out, '>', "$_[0].new") or die "$_[0]: $!"; print $out $_[1]; close($out); rename("$_[0].new", $_[0]) }
sub burn { my $until = cpu() + $_[0]; 1 while cpu() < $until }

put("$file.ready", '');
sleep(0.1) until -e "$file.go";
my ($wall, $cpu) = (wall(), cpu());
if ($what eq 'spin') {
  1 while wall() < $wall + 20;
  my $passed = wall() - $wall;
  put($file, sprintf("%.6f %.6f\n", $passed - (cpu() - $cpu), $passed));
  sleep(1_000);
}
my $burst = 0;
while (1) {
  if (!$burst && wall() > $wall + 40) {
    burn(0.4);
    put("$file.burst", '');
    $burst = 1;
  }
  burn(0.0005);
  sleep(0.02);
}
