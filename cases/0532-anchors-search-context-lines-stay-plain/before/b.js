run();
walk();
