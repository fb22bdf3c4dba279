#!/usr/bin/perl
# storm.pl all|named DIRECTORY: OOM kills as fast as the kernel goes. Perl, since a process more costs a tenth of a second here.
#   all    300 containers in 10 pods, each another id; killed as a group by their own limit, and removed at once
#   named  60 kills at two a second in 10 pods of three containers; each is made again at once under another id, and
#          pods.json in DIRECTORY tells its name, as an API server would
use strict;
use warnings;
use Time::HiRes qw(sleep time);

my ($what, $directory) = @ARGV;
my $burstable = '/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice';
my $number = $what eq 'all' ? 0x10000 : 0x20000;
my @names = qw(api log mesh);
my %now;     # by pod and name: the present instance
my %before;  # and the one before

sub put { open(my $file, '>', $_[0]) or die "$_[0]: $!"; print $file $_[1]; close($file) or die "$_[0]: $!" }
sub pod { sprintf('%s/kubepods-burstable-pod11111111_2222_4333_8444_%012d.slice', $burstable, 200 + $_[0]) }

# Another container of a pod, with a process that waits for a byte and then wants more than it may have.
sub container {
  my ($pod) = @_;
  my $id = sprintf('%012x', $number++) . '0' x 52;
  my $path = pod($pod) . "/cri-containerd-$id.scope";
  mkdir($path) or die "$path: $!";
  put("$path/memory.max", '16M');
  put("$path/memory.swap.max", '0');
  put("$path/memory.oom.group", '1');
  pipe(my $read, my $write) or die $!;
  my $pid = fork() // die $!;
  if (!$pid) {
    put("$path/cgroup.procs", '0');
    close($write);
    sysread($read, my $byte, 1) or exit 0; # not told to, but left alone at the end
    my $held = 'x' x 40_000_000;
    exit 1;
  }
  close($read);
  return {id => $id, path => $path, pid => $pid, write => $write};
}

sub begin { syswrite($_[0]{write}, 'x'); close($_[0]{write}) }

sub finish {
  my ($container) = @_;
  waitpid($container->{pid}, 0);
  $? == 9 or die "$container->{path} ended with $?";
  for (1 .. 1000) { return if rmdir($container->{path}); sleep(0.001) }
  die "$container->{path}: $!";
}

sub tell_names {
  my @pods;
  for my $pod (0 .. 9) {
    my @statuses;
    for my $name (@names) {
      my $key = "$pod $name";
      my $last = $before{$key} ? qq(,"lastState":{"terminated":{"containerID":"containerd://$before{$key}"}}) : '';
      push(@statuses, qq({"name":"$name","containerID":"containerd://$now{$key}{id}"$last}));
    }
    my $uid = sprintf('11111111-2222-4333-8444-%012d', 200 + $pod);
    push(@pods, qq({"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"storm","name":"pod-$pod","uid":"$uid"},"spec":{"containers":[)
      . join(',', map { qq({"name":"$_"}) } @names) . ']},"status":{"containerStatuses":[' . join(',', @statuses) . ']}}');
  }
  put("$directory/pods.json.new", '{"kind":"List","apiVersion":"v1","items":[' . join(',', @pods) . ']}');
  rename("$directory/pods.json.new", "$directory/pods.json") or die $!;
}

if ($what eq 'all') {
  for (1 .. 30) {
    my @round = map { container($_) } 0 .. 9;
    begin($_) for @round;
    finish($_) for @round;
  }
} else {
  for my $pod (0 .. 9) { $now{"$pod $_"} = container($pod) for @names }
  tell_names();
  sleep(5);
  my $due = time();
  for my $kill (0 .. 59) {
    my $pod = $kill % 10;
    my $name = $names[($kill / 10) % 3];
    my $key = "$pod $name";
    my $killed = $now{$key};
    begin($killed);
    finish($killed);
    $before{$key} = $killed->{id};
    $now{$key} = container($pod);
    tell_names();
    $due += 0.5;
    my $left = $due - time();
    sleep($left) if $left > 0;
  }
  sleep(8);
}
