int s3d_x;
